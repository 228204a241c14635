// Prints `N passed, N failed` for the JSON report and the exit code of a Vitest run. As failed count: a skipped test, a
// file that did not run, a run that failed without a failed test, and a run without tests.
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
