// Prints each test that did not pass, then `N passed, N failed`, for Vitest runs, given as pairs of a JSON report and an exit code.
// As failed count: a skipped test, a file that did not run, a run that failed without a failed test, and a run without tests.
import { readFileSync } from 'node:fs';

const LONGEST_MESSAGE = 1500;

/** The tests and files of a report that did not pass, each with the start of its error: the end of a log is what people are shown. */
function printFailures({ testResults }) {
  for (const { name, message, assertionResults } of testResults) {
    const others = assertionResults.filter(({ status }) => status !== 'passed');
    if (assertionResults.length === 0 && message)
      process.stdout.write(`${name}\n  ${message.slice(0, LONGEST_MESSAGE)}\n`);
    for (const { status, fullName, failureMessages } of others) {
      const error = (failureMessages ?? []).join('\n').slice(0, LONGEST_MESSAGE);
      process.stdout.write(`${status}: ${name}: ${fullName}\n${error && `  ${error}\n`}`);
    }
  }
}

function count(path, exitCode) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    process.stdout.write(`No report of a test run: ${path}\n`);
    return { passed: 0, failed: 1 };
  }
  printFailures(report);
  const isUnexplained = ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status === 'passed');
  const passed = report.numPassedTests;
  const failed = report.numTotalTests - passed + report.testResults.filter(isUnexplained).length;
  const failedAsAWhole = passed === 0 || exitCode !== '0';
  if (failed === 0 && failedAsAWhole)
    process.stdout.write(`A run of ${passed} passed tests ended with exit code ${exitCode}\n`);
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
