import type { HiddenKind } from '@continuity/contract/hidden-characters';
import { t } from '../catalog/index.ts';
import { Stored } from '../text/stored-text.tsx';
import { bytes, number } from '../ui/time.tsx';
import type { Candidate } from './types.ts';

/** What an approval would install beyond the fields of a Skill. */
export function PackageFacts({ candidate }: { candidate: Candidate }) {
  const summary = candidate.package_summary;
  if (summary === null) {
    return packageOf(candidate) === null ? null : (
      <p class="note warning" role="note">
        {t.packageUnread}
      </p>
    );
  }
  const hidden = (Object.entries(summary.hidden_characters) as [HiddenKind, number][]).filter(
    ([, count]) => count > 0,
  );
  return (
    <>
      <p>
        {t.packageFacts(
          number(summary.file_count),
          bytes(summary.uncompressed_size),
          number(summary.executable_count),
        )}
      </p>
      {hidden.length > 0 && (
        <p class="note warning" role="note">
          {t.hiddenCharacters(hidden.map(([kind, count]) => t.hiddenCounts[kind](count)).join(', '))}
        </p>
      )}
      {summary.front_matter_count > 0 && (
        <>
          <h3>{t.frontMatter}</h3>
          <ul>
            {summary.front_matter.map(({ key, value }) => (
              <li key={key}>
                <code>
                  <Stored text={key} />
                </code>
                : <Stored text={value} />
              </li>
            ))}
          </ul>
          <More count={summary.front_matter_count - summary.front_matter.length} />
        </>
      )}
      {summary.comment_count > 0 && (
        <>
          <h3>{t.comments}</h3>
          <ul>
            {summary.comments.map((comment) => (
              <li key={comment}>
                <Stored text={comment} />
              </li>
            ))}
          </ul>
          <More count={summary.comment_count - summary.comments.length} />
        </>
      )}
    </>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <p class="hint">{t.andMore(count)}</p> : null;
}

/** The package of a proposal; null without one. */
export function packageOf({ proposal }: Candidate) {
  return 'package' in proposal ? proposal.package : null;
}
