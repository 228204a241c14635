/** Words with and without a hyphen. */
export const hyphens = `
Send an e-mail to re-index the shard.
+ email | reindex

The email was sent.
+ e-mail

We reindex at night.
+ re-index

the precommit hook
+ pre-commit

the pre-commit hook
+ precommit

they cooperate
+ co-operate

a multitenant service
+ multi-tenant

a multi-tenant service
+ multitenant

the oncall rota
+ on-call

checkin time
+ check-in

the rollout failed
+ roll-out

the roll-out failed
+ rollout

an email arrived
+ e-mails

the email
+ E‑Mail
`;
