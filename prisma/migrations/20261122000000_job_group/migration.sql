-- Jobs of one group run one after the other. A group is named after its job and its key.
ALTER TABLE jobs RENAME COLUMN lane TO job_group;
ALTER INDEX jobs_lane RENAME TO jobs_group;
ALTER INDEX jobs_lane_running RENAME TO jobs_group_running;
ALTER INDEX jobs_lane_background RENAME TO jobs_group_background;

-- Jobs that an earlier release queued keep their turn, and equal requests still find their results.
UPDATE jobs SET job_group = operation || ':' || regexp_replace(job_group, '^(prepare|activate):', '');
