-- Without pgvector, a search reads each vector of a Scope: this form takes an eighth of the time (spec 26 S12). The release before reads
-- `embedding`, as pgvector does, so this release writes both. Null: stored with pgvector, or by the release before.
ALTER TABLE memory_embeddings ADD COLUMN quantized bytea;
ALTER TABLE memory_embeddings ALTER COLUMN quantized SET STORAGE EXTERNAL;

-- False: a worker has to quantize vectors of the Scope, unless pgvector is installed.
ALTER TABLE memory_embedding_totals ADD COLUMN is_quantized boolean NOT NULL DEFAULT false;
