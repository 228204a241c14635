import { hashHex } from '@continuity/kernel/json';

/** Tokens that an attacker tries first. The empty one comes from hashing a variable that is not set. */
const weakTokens = [
  '',
  ...(`
    0 1 123 1234 12345 123456 1234567 12345678 123456789 1234567890 a abc abc123 admin administrator bearer change-me
    change_me changeit changeme changemechangeme context continuity default demo dev development dummy example foo foobar
    guest hello iloveyou key letmein local localhost login none null operator pass passw0rd password password1 password123
    passwordpassword placeholder postgres qwerty root s3cr3t sample secret secret-token string super-secret supersecret
    test test-token test1 test123 test2 test3 testing testtoken token token1 token123 token2 undefined user welcome xxx
    your-token your-token-here
  `.match(/\S+/g) ?? []),
];

/** Hashes of the weak tokens, also with the line ends that `echo` adds. */
const weakHashes = new Set(
  weakTokens.flatMap((token) => [token, `${token}\n`, `${token}\r\n`]).map((token) => hashHex(token)),
);

/** Whether a hash is the SHA-256 of a token that anybody can guess. */
export function isWeakHash(hash: string): boolean {
  return weakHashes.has(hash);
}
