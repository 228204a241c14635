// The numbers that a release changes. CONTRIBUTING.md ("Change the schema") says how to choose them.

/** Number of this release. A release that has migrations raises it by one. */
export const release = 1;

/** The oldest release whose processes run on the schema of this one, so that both can run side by side during an upgrade. */
export const oldestServedRelease = 1;

/** Commit of the release before this one. A test runs its processes beside those of this one, on the schema of this one. */
export const previousReleaseCommit = '33a72ba45e1e5dfea14aeeb45e97d346c5bbb03e';
