-- The newest release that has migrated the database, and the oldest one whose processes run on its schema.
ALTER TABLE deployment ADD COLUMN release integer NOT NULL DEFAULT 1;
ALTER TABLE deployment ADD COLUMN oldest_release integer NOT NULL DEFAULT 1;
