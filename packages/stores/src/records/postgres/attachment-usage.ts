/**
 * What the blobs of attachments take, as in the migration for SQLite. There a trigger runs after each row; here after the
 * statement, when all of its rows are there or gone. So of new rows with one blob the first counts, and of rows that went
 * together each blob counts once.
 */
export const ATTACHMENT_USAGE_POSTGRES: readonly string[] = [
  `CREATE TABLE attachment_usage (project_id bigint PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
    bytes bigint NOT NULL)`,
  `CREATE FUNCTION attachment_usage_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM attachment WHERE blob = NEW.blob AND id < NEW.id) THEN
      INSERT INTO attachment_usage (project_id, bytes) VALUES (NEW.project_id, NEW.bytes)
        ON CONFLICT (project_id) DO UPDATE SET bytes = attachment_usage.bytes + NEW.bytes;
    END IF; RETURN NULL; END $$`,
  `CREATE TRIGGER attachment_usage_insert AFTER INSERT ON attachment FOR EACH ROW
    EXECUTE FUNCTION attachment_usage_insert()`,
  `CREATE FUNCTION attachment_usage_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE attachment_usage SET bytes = attachment_usage.bytes - freed.bytes
      FROM (SELECT project_id, sum(bytes) AS bytes FROM (SELECT project_id, blob, max(bytes) AS bytes FROM gone
        WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.blob = gone.blob)
        GROUP BY project_id, blob) AS blobs GROUP BY project_id) AS freed
      WHERE attachment_usage.project_id = freed.project_id;
    RETURN NULL; END $$`,
  `CREATE TRIGGER attachment_usage_delete AFTER DELETE ON attachment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
    EXECUTE FUNCTION attachment_usage_delete()`,
]
