# Sonde as an image: docs/operate/release-archive.md. Debian, because the telemetry engine needs glibc.
FROM node:24-trixie-slim AS build
WORKDIR /sonde
COPY . .
RUN node scripts/pack.mjs --folder /opt/sonde

FROM node:24-trixie-slim
COPY --from=build /opt/sonde /opt/sonde
RUN mkdir /data && chown node:node /data
USER node
ENV SONDE_DATA_DIR=/data HOST=0.0.0.0 PORT=8600
VOLUME /data
EXPOSE 8600
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/sonde/sonde.mjs"]
CMD ["start"]
