-- What happened in a Scope on a day (UTC), for statistics. Counters only: nothing that was asked or answered is kept.

-- Recall of prepared context (spec 20 P12), for each estimator of tokens by itself: its sums are comparable with no others.
CREATE TABLE recall_days (
    tenant_id               integer NOT NULL,
    scope_key               bigint NOT NULL,
    day                     date NOT NULL,
    -- Id and version of the estimator; empty while estimation is off.
    estimator               text COLLATE "C" NOT NULL,
    preparations            bigint NOT NULL DEFAULT 0,
    ready_preparations      bigint NOT NULL DEFAULT 0,
    comparable_preparations bigint NOT NULL DEFAULT 0,
    baseline_tokens         bigint NOT NULL DEFAULT 0,
    recalled_tokens         bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key, day, estimator),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

-- Successful calls of models (spec 20 T6). Tokens are null from the first call on that did not report them.
CREATE TABLE model_usage_days (
    tenant_id     integer NOT NULL,
    scope_key     bigint NOT NULL,
    day           date NOT NULL,
    purpose       text COLLATE "C" NOT NULL,
    operation     text COLLATE "C" NOT NULL CHECK (operation IN ('generation', 'embedding')),
    requests      bigint NOT NULL,
    input_tokens  bigint,
    output_tokens bigint,
    PRIMARY KEY (tenant_id, scope_key, day, purpose, operation),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);
