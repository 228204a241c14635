// Prints `N passed, N failed` for the JSON report of a vitest run. A skipped test and a file that could not be run
// count as failed, and so does a run without a test or one that failed as a whole.
import { readFileSync } from 'node:fs';

function count(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const passed = report.numPassedTests;
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numTotalTests - passed + brokenFiles.length;
  const failedAsAWhole = passed === 0 || !report.success;
  return { passed, failed: failed === 0 && failedAsAWhole ? 1 : failed };
}

const { passed, failed } = count(process.argv[2]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
