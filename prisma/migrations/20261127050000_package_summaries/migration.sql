-- What reviewers see of a package beyond its fields (spec 40 §4.10). Null until somebody lists or reads a Candidate with the package.
ALTER TABLE skill_packages ADD COLUMN summary text;
