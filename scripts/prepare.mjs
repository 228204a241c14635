// Installs what the lock file names, and nothing more; quick when that is done already.
import { main, prepare } from './toolchain.mjs';

await main(prepare);
