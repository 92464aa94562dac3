PRAGMA auto_vacuum = FULL;
PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = {OURS};
PRAGMA user_version = {VERSION};
CREATE TABLE scenes (
    id TEXT PRIMARY KEY, owner BLOB NOT NULL, size INTEGER NOT NULL, created REAL NOT NULL, used REAL NOT NULL,
    said TEXT NOT NULL, program BLOB NOT NULL, brief BLOB NOT NULL, facts BLOB NOT NULL, details BLOB NOT NULL,
    masks BLOB NOT NULL, image BLOB NOT NULL
);
CREATE INDEX scenes_by_use ON scenes (used, size);
CREATE INDEX scenes_by_owner ON scenes (owner, used, size);
CREATE TABLE salt (salt BLOB NOT NULL);
INSERT INTO salt VALUES (randomblob(32));
COMMIT;
