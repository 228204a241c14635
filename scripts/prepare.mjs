// Installs the dependencies of the lock file and generates the database client. Quick if both are up to date.
import { main, prepare } from './toolchain.mjs';

await main(prepare);
