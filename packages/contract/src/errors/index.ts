export { commonErrors, type ErrorCode, errorCatalogue } from './catalogue.ts';
export { type Issue, maxIssues } from './issues.ts';
export { type ErrorMeaning, errorMeanings } from './meanings.ts';
