/**
 * Loaded by `--import` into a process under test. TEST_HOSTNAME is the host name that the process sees. On SIGUSR2, its wall clock
 * jumps to the offset in TEST_CLOCK_FILE, in ms, and it prints a line `clock <offset>`. Its timers go on as before.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const { TEST_HOSTNAME: hostname, TEST_CLOCK_FILE: clockFile = '' } = process.env;
if (hostname !== undefined) {
  os.hostname = () => hostname;
  syncBuiltinESMExports();
}

let offsetMs = 0;
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [number]) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;

process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(clockFile, 'utf8'));
  process.stdout.write(`clock ${offsetMs}\n`);
});
