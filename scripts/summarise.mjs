// Prints `N passed, N failed` for the JSON report of a vitest run and the exit code it ended with. A skipped test and a
// file that could not be run count as failed; so does a run that failed as a whole, or that ran no test.
import { readFileSync } from 'node:fs';

const [path, exitCode] = process.argv.slice(2);

function count() {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const isUnexplained = ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status === 'passed');
  const passed = report.numPassedTests;
  const failed = report.numTotalTests - passed + report.testResults.filter(isUnexplained).length;
  const failedAsAWhole = passed === 0 || exitCode !== '0';
  return { passed, failed: failed === 0 && failedAsAWhole ? 1 : failed };
}

const { passed, failed } = count();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
