-- What the service itself wrote as this Source: a work record by its kind, or the request of an Artifact write, which is
-- lineage and no evidence (spec 10 §6.1.4). Null for what a caller captured, whatever its metadata says.
ALTER TABLE sources ADD COLUMN record text COLLATE "C" CHECK (record IN
    ('artifact-write', 'work-contract', 'handoff-boundary', 'handoff-receipt', 'task-outcome'));
UPDATE sources SET record = 'artifact-write' WHERE NOT eligible;
