// Prints a random token and its SHA-256 for AUTH_TOKENS_FILE.
import { createHash, randomBytes } from 'node:crypto';

const token = randomBytes(32).toString('base64url');
process.stdout.write(`token         ${token}\n`);
process.stdout.write(`token_sha256  ${createHash('sha256').update(token).digest('hex')}\n`);
