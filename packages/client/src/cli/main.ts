#!/usr/bin/env node
import module from 'node:module';

// The compile cache halves the start time of a command. It caches only later imports, and Node 20 does not have it.
module.enableCompileCache?.();
const { runCli } = await import('./run.ts');

process.exitCode = await runCli(process.argv.slice(2));
