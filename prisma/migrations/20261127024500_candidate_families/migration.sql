-- The service checks the Family of a Candidate by its catalogue, so that a new Family needs no migration.
ALTER TABLE candidates DROP CONSTRAINT candidates_family_check;
