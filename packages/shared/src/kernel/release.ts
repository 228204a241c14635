/** Number of this release. A release that has migrations raises it by one. */
export const release = 1;

/** The oldest release whose processes run on the schema of this one, so that both can run side by side during an upgrade. */
export const oldestServedRelease = 1;
