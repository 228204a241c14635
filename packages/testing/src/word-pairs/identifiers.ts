/** Names of programs: identifiers, paths, versions, addresses. */
export const identifiers = `
The retryPolicy in src/http/client.ts backs off.
+ retryPolicy | retry_policy | RetryPolicy | retry policy | client.ts | src/http/client.ts | http client
- retryable | clientele

MAX_POOL_SIZE is 20 on staging.
+ max_pool_size | maxPoolSize | pool size | MAX_POOL_SIZE
- whirlpool | sizzle

Set DATABASE_URL before the tests.
+ DATABASE_URL | databaseUrl | database url
- databank | curl

parseInvoiceHeader assumes Latin-1.
+ parseInvoiceHeader | parse_invoice_header | invoice header | ParseInvoiceHeader
- parser-generator | headless

The endpoint is POST /v1/memory/search.
+ /v1/memory/search | memory search | v1/memory
- v2 | researcher

ERR_QUEUE_STALLED means a lost lock.
+ err_queue_stalled | ErrQueueStalled | queue stalled
- error-prone | install

Upgrade to node 24.21.0 first.
+ 24.21.0 | node 24 | node
- nodal
~ 24.22.9.7x

Look into packages/shared/src/kernel/text.ts.
+ packages/shared | kernel/text.ts | text.ts
- textile | colonel

The class HTTPServerFactory is deprecated.
+ HTTPServerFactory | httpServerFactory | http server factory | http_server_factory
- serving | satisfactory

kubectl rollout restart deploy/api-gateway
+ kubectl | api-gateway | rollout restart | deploy/api-gateway
- kube | gateau

Commit 3f9a2c1 broke the build.
+ 3f9a2c1 | commit 3f9a2c1
- 3f9a2c2 | guild

Ticket PLAT-1432 is waiting.
+ PLAT-1432 | plat 1432 | 1432
- 1433 | platform

The flag --no-verify is forbidden.
+ --no-verify | no-verify | verify
- verity | noon

utf8mb4_unicode_ci is the collation.
+ utf8mb4_unicode_ci | unicode | utf8mb4
- unicorn | utf16

Use sha256 sums for downloads.
+ sha256 | sha 256
- 512 | shade

user.profile.displayName may be empty.
+ user.profile.displayName | displayName | display_name | profile
- professor | played

Mail goes to ops-team@example.org.
+ ops-team@example.org | ops-team | example.org
- opposite | exams

The image registry.example.com/api:2.4.1 is signed.
+ registry.example.com | api:2.4.1 | 2.4.1
- registrar
~ 3.4.9

onClick_handler mixes styles.
+ onClick_handler | onClickHandler | click handler
- clockwork | handle-bar

IPv6 is off on eth0.
+ ipv6 | eth0 | IPv6
- ipv4 | ether

Port 5432 is taken by PostgreSQL16.
+ 5432 | postgresql16 | postgresql
- 5433 | post

X-Request-Id is passed on.
+ X-Request-Id | request id | x-request-id
- requiem | ideal

see C:\\Users\\anna\\notes.md
+ C:\\Users\\anna\\notes.md | notes.md | anna
- annals | usage

getElementById is used in legacy/main.js.
+ getElementById | get_element_by_id | legacy/main.js
- elementary | legal

__init__.py must stay empty.
+ __init__.py | __init__ | init
- initial | pyramid
`;
