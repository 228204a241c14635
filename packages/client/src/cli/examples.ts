import type { Command } from 'commander';

/** Examples in the help of each command, by its path. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['doctor', 'remember "Deployments happen on Tuesdays." --scope my-project', 'search when do we deploy'],
  doctor: ['doctor --url https://continuity.example.com'],
  remember: [
    'remember "Deployments happen on Tuesdays." --kind decision',
    'remember - --kind constraint < rule.txt',
  ],
  search: ['search when do we deploy', 'search deploy --mode fts --limit 5 --json'],
  list: ['list --inactive'],
  prepare: ['prepare prepare the deployment --max-bytes 4000'],
  flush: ['flush --scope my-project'],
  get: [
    'get 0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4',
    'get AEBmcGgfRC25pRQNKo5rn0',
    'get content/task-1',
    'get skill/01993c30-aaaa-7000-8000-000000000001@2',
  ],
  revise: ['revise 0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4 "Deployments happen on Mondays."'],
  retire: ['retire 0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4 --reason "Not true any more."'],
  capture: [
    'capture "We decided to deploy on Tuesdays." --id task-1',
    'capture --file notes.md --id notes.md',
  ],
  setup: [
    'setup claude-code',
    'setup codex --print',
    'setup cursor --scope project:shop',
    'setup gemini --remove',
  ],
  import: [
    'import queue',
    'import',
    'import claude-code codex --since 90d',
    'import ~/Downloads/chatgpt-export.zip --dry-run',
    'import notes --format markdown --scope my-project',
  ],
  stats: ['stats --period 7d', 'stats --all --json'],
  candidates: ['candidates list --status pending'],
  'candidates list': ['candidates list --status pending --family skill'],
  'candidates show': ['candidates show 01993c2a-5555-7000-8000-000000000001'],
  'candidates file': ['candidates file 01993c2a-5555-7000-8000-000000000001 scripts/run.sh'],
  'candidates approve': ['candidates approve 01993c2a-5555-7000-8000-000000000001 --version 1'],
  'candidates reject': ['candidates reject 01993c2a-5555-7000-8000-000000000001 --version 1 --reason Known.'],
  'candidates revise': ['candidates revise 01993c2a-5555-7000-8000-000000000001 --version 1 --file new.json'],
  experience: ['experience generate --source content/task-1'],
  'experience propose': ['experience propose --file experience.json --source content/task-1'],
  'experience generate': ['experience generate --source content/task-1'],
  'experience show': ['experience show experience/0199c19f-2204-7c3d-b0aa-91d6e7f82c55@1'],
  skill: ['skill list verify a release'],
  'skill list': ['skill list verify a release --deprecated'],
  'skill show': ['skill show skill/01993c30-aaaa-7000-8000-000000000001@1'],
  'skill propose': ['skill propose --file skill.json --source content/task-1'],
  'skill upload': [
    'skill upload release-check.zip --reason "From the build team."',
    'skill upload skills-main.zip --path skills-main/release-check --fix',
  ],
  'skill generate': ['skill generate --origin source --source content/task-1'],
  'skill lifecycle': [
    'skill lifecycle skill/01993c30-aaaa-7000-8000-000000000001@1 deprecated --generation 0',
  ],
  'skill export': [
    'skill export skill/01993c30-aaaa-7000-8000-000000000001@1 --agent claude_code --project ~/billing',
  ],
  targets: ['targets create codex "build machine"'],
  'targets list': ['targets list --scope my-project'],
  'targets create': ['targets create codex "build machine"'],
  'targets rename': ['targets rename codex-3f9a1c22b7de "old build machine" --generation 1'],
  'targets revoke': ['targets revoke codex-3f9a1c22b7de --generation 1'],
  'targets publications': ['targets publications codex-3f9a1c22b7de'],
  'targets publish': ['targets publish codex-3f9a1c22b7de skill/01993c30-aaaa-7000-8000-000000000001@1'],
  'targets unpublish': [
    'targets unpublish codex-3f9a1c22b7de skill/01993c30-aaaa-7000-8000-000000000001@1 --generation 0',
  ],
  'external-skills': ['external-skills scan --host laptop'],
  'external-skills scan': ['external-skills scan --host laptop'],
  'external-skills list': ['external-skills list --all'],
  'external-skills resolve': [
    `external-skills resolve codex:project:repository/hello --fingerprint ${'0a'.repeat(32)}`,
  ],
  'external-skills import': [
    `external-skills import codex:project:repository/hello --fingerprint ${'0a'.repeat(32)} --mode fork`,
  ],
  receiver: ['receiver run --agent codex --project ~/billing'],
  'receiver enroll': ['receiver enroll --agent codex --project ~/billing < code.txt'],
  'receiver run': [
    'receiver run --agent codex --project ~/billing --interval 300',
    'receiver run --agent codex --once',
  ],
  'receiver status': ['receiver status --agent codex --project ~/billing'],
  'receiver unenroll': ['receiver unenroll --agent codex --project ~/billing'],
  handoff: ['handoff show'],
  'handoff show': ['handoff show --revision 3'],
  'handoff prepare': ['handoff prepare --id session-7 --file work.json > prepared.json'],
  'handoff commit': ['handoff commit --file prepared.json'],
  'handoff acknowledge': ['handoff acknowledge --file receipt.json'],
  report: ['report --scope my-project > report.md', 'report --root my-project --locale zh-CN'],
  scopes: ['scopes list'],
  'scopes list': ['scopes list --json'],
  'scopes show': ['scopes show my-project'],
  'scopes create': ['scopes create --title Billing --summary "Invoices and reminders."'],
  jobs: ['jobs list --status failed'],
  'jobs list': ['jobs list --queue memory-flush --status failed --limit 10'],
  'jobs show': ['jobs show 01993c3f-7777-7000-8000-000000000001'],
  'jobs wait': ['jobs wait 01993c3f-7777-7000-8000-000000000001'],
  'jobs cancel': ['jobs cancel 01993c3f-7777-7000-8000-000000000001'],
  'jobs retry': ['jobs retry 01993c3f-7777-7000-8000-000000000001'],
  'jobs replay': ['jobs replay --queue memory-flush --older-than 1h --dry-run'],
  tenants: ['tenants move acme --to b'],
  'tenants move': ['tenants move acme --to b', 'tenants move acme --to b --abort'],
  'tenants clean': ['tenants clean --older-than 7d'],
  call: ['call', 'call get_stats --fields', 'call get_stats --file request.json'],
  mcp: ['mcp --scope my-project', 'mcp --tools memory,work'],
  profile: ['profile set laptop --url http://127.0.0.1:8000 --scope my-project'],
  'profile set': ['profile set team --url https://continuity.example.com --token-stdin < token.txt'],
  'profile use': ['profile use team'],
  'profile remove': ['profile remove laptop'],
  'profile list': ['profile list'],
  token: ['token new'],
  'token new': ['token new --json'],
  'token hash': ['token hash < token.txt'],
  completion: [
    'completion bash > ~/.local/share/bash-completion/completions/continuity',
    'completion zsh > ~/.zfunc/_continuity',
    'completion fish > ~/.config/fish/completions/continuity.fish',
    'completion powershell >> $PROFILE',
  ],
};

/** Adds the examples to the help of a command and of those below it. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  const lines = examples[path.join(' ')];
  if (lines !== undefined) {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  continuity ${line}`).join('\n')}`);
  }
  for (const child of command.commands) addExamples(child, [...path, child.name()]);
}
