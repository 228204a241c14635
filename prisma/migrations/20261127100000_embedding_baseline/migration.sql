-- The cosine of unrelated texts in this vector space (spec 26 S9). Null: not measured.
ALTER TABLE embedding_profiles ADD COLUMN baseline real;
