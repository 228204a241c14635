/**
 * Tokens that their form identifies. Each pattern starts at the beginning of a run of word characters, so that it is tested once per
 * run. Prefixes are those of the vendors' documentation; `pk_live_` of Stripe is missing, because it is a publishable key.
 * The limit of repetitions is `maxRepetitions`.
 */
const start = '(?<![\\w-])';

function token(prefixes: string, rest: string): RegExp {
  return new RegExp(`${start}(?:${prefixes})${rest}`, 'g');
}

export const tokenPatterns: readonly RegExp[] = [
  token('AKIA|ASIA|AROA|AIDA|ABIA|ACCA', '[A-Z0-9]{16}'),
  token(
    'gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|soat)-|npm_|pypi-|hf_|dop_v1_|whsec_|skt_|dckr_pat_|sntrys_|lin_api_|ntn_|figd_|gsk_|xai-|sgp_|rubygems_|pul-|PMAK-|shippo_(?:live|test)_|tskey-[a-z]{2,12}-|GOCSPX-',
    '[\\w-]{16,4000}',
  ),
  token(
    'sk-(?!ssh-|ecdsa-)|sk-ant-|[rs]k_(?:live|test)_|xox[abeoprs]-|xapp-|AGE-SECRET-KEY-',
    '[\\w-]{10,4000}',
  ),
  token('AIza|shp(?:at|ca|pa|ss)_', '[\\w-]{30,4000}'),
  token('ya29|hv[sbr]', '\\.[\\w-]{20,4000}'),
  token('SG', '\\.[\\w-]{16,64}\\.[\\w-]{16,4000}'),
  token('eyJ', '[\\w-]{8,4000}\\.[\\w-]{8,4000}(?:\\.[\\w-]{0,4000})?'),
  // A bot token of Telegram.
  token('\\d{8,10}', ':AA[\\w-]{33}'),
  // User and password in an address.
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:[^\s@/]{1,200}@\S{0,4000}/gi,
  /hooks\.slack\.com\/services\/\S{1,4000}|discord(?:app)?\.com\/api\/webhooks\/\S{1,4000}/gi,
  /[?&](?:key|sig|signature|token|access_token|api_?key|secret|password|x-amz-signature|x-amz-security-token|x-goog-signature)=(?<value>[^\s&#]{6,4000})/dgi,
];
