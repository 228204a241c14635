import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addCallCommand } from './commands/call.ts';
import { addCandidateCommands } from './commands/candidates.ts';
import { addCaptureCommand } from './commands/capture.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEntryCommands } from './commands/entries.ts';
import { addExperienceCommands } from './commands/experiences.ts';
import { addExternalSkillCommands } from './commands/external-skills.ts';
import { addHandoffCommands } from './commands/handoff.ts';
import { addImportCommand } from './commands/import.ts';
import { addJobCommands } from './commands/jobs.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryCommands } from './commands/memory.ts';
import { addProfileCommands } from './commands/profiles.ts';
import { addReceiverCommands } from './commands/receiver.ts';
import { addReportCommand } from './commands/report.ts';
import { addScopeCommands } from './commands/scopes.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addSkillCommands } from './commands/skills.ts';
import { addStatsCommand } from './commands/stats.ts';
import { addTargetCommands } from './commands/targets.ts';
import { addTenantCommands } from './commands/tenants.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addExamples } from './examples.ts';

/** The command line with all its commands. It throws instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('continuity')
    .description('Works with a Context Continuity Service.')
    .option('--url <address>', 'address of the service; also CONTINUITY_URL (default http://127.0.0.1:8000)')
    .option('--scope <id>', 'the Scope; also CONTINUITY_SCOPE')
    .option('--profile <name>', 'profile of the configuration file; also CONTINUITY_PROFILE')
    .option('--json', 'print answers and errors as JSON')
    // `run` answers it. As an option of Commander, it would take the `--version` of other commands.
    .addHelpText('after', '\n--version without a command prints the version of this command.')
    .addHelpText('after', '\nThe token comes from CONTINUITY_TOKEN or a profile, never from an argument.')
    .exitOverride();
  addDoctorCommand(program);
  addSetupCommand(program);
  addMemoryCommands(program);
  addEntryCommands(program);
  addCaptureCommand(program);
  addImportCommand(program);
  addStatsCommand(program);
  addCandidateCommands(program);
  addExperienceCommands(program);
  addSkillCommands(program);
  addTargetCommands(program);
  addExternalSkillCommands(program);
  addReceiverCommands(program);
  addHandoffCommands(program);
  addReportCommand(program);
  addScopeCommands(program);
  addJobCommands(program);
  addCallCommand(program);
  addMcpCommand(program);
  addProfileCommands(program);
  addTenantCommands(program);
  addTokenCommands(program);
  tab(program, { completionCommandName: 'completion' });
  addExamples(program);
  return program;
}
