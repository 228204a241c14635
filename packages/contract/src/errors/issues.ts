/** One entry of `details.issues` of a 422. `path` reads like `content.entries[0].text` and is empty for the body itself. */
export interface Issue {
  path: string;
  message: string;
}

/** Limit of the issues in one answer. */
export const maxIssues = 100;
