{{- define "sonde.labels" -}}
app.kubernetes.io/name: sonde
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sonde.fullname" -}}
{{- if contains "sonde" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-sonde{{ end }}
{{- end }}

{{/* One variable out of a Secret; nothing when the Secret has no name. */}}
{{- define "sonde.fromSecret" -}}
{{- if .from.name }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .from.name }}, key: {{ .from.key }} }
{{- end }}
{{- end }}
