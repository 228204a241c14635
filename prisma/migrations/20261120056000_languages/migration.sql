-- Which languages the texts of a Scope have keys of, a bit each. Texts that are there already may have any.
ALTER TABLE memory_totals ADD COLUMN languages integer NOT NULL DEFAULT -1;
ALTER TABLE memory_totals ALTER COLUMN languages SET DEFAULT 0;
ALTER TABLE document_totals ADD COLUMN languages integer NOT NULL DEFAULT -1;
ALTER TABLE document_totals ALTER COLUMN languages SET DEFAULT 0;
