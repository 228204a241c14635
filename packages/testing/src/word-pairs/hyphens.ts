/** Words with and without a hyphen. */
export const hyphens = `
Send an e-mail to re-index the shard.
+ email | reindex
- mailbox | knight

The email was sent.
+ e-mail
- mailing | sender

We reindex at night.
+ re-index
- indexing | knight

the precommit hook
+ pre-commit
- committee

the pre-commit hook
+ precommit
- committee

they cooperate
+ co-operate
- operate | corporate

a multitenant service
+ multi-tenant
- tenancy agreement | mono

a multi-tenant service
+ multitenant
- tenancy agreement | mono

the oncall rota
+ on-call
- callous | rotate

checkin time
+ check-in
- check | inside

the rollout failed
+ roll-out
- rollback | rota

the roll-out failed
+ rollout
- rollback | rota

an email arrived
+ e-mails
- mail | harbor

the email
+ E‑Mail
- mail
`;
