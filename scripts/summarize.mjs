// Prints `N passed, N failed` for Vitest runs, given as pairs of a JSON report and an exit code. As failed count: a skipped test,
// a file that did not run, a run that failed without a failed test, and a run without tests.
import { readFileSync } from 'node:fs';

function count(path, exitCode) {
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

const runs = process.argv.slice(2);
let [passed, failed] = [0, 0];
for (let index = 0; index < runs.length; index += 2) {
  const counted = count(runs[index], runs[index + 1]);
  passed += counted.passed;
  failed += counted.failed;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && runs.length > 0 ? 0 : 1;
