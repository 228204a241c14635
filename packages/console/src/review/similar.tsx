import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { Answer, Empty } from '../ui/states.tsx';
import { type Address, type Candidate, isSkill, refText } from './types.ts';

const shownSkills = 5;
const maxQuery = 2000;

/** Approved content near to a proposal (spec 60 §7.3.6). */
export function Similar({ address, candidate }: { address: Address; candidate: Candidate }) {
  const { proposal } = candidate;
  if (!isSkill(proposal)) return <NothingSimilar />;
  return (
    <SimilarSkills
      scope={address.scope_id}
      query={`${proposal.name} ${proposal.description}`.slice(0, maxQuery)}
    />
  );
}

function SimilarSkills({ scope, query }: { scope: string; query: string }) {
  const call = useCall('listManagedSkills', {
    scope_id: scope,
    query,
    limit: shownSkills,
    include_deprecated: true,
  });
  return (
    <Answer call={call}>
      {({ skills }) =>
        skills.length === 0 ? (
          <NothingSimilar />
        ) : (
          <ul class="rows plain">
            {skills.map(({ artifact, content }) => (
              <li key={refText(artifact)}>
                <strong>
                  <Stored text={content.name} />
                </strong>{' '}
                <code>{refText(artifact)}</code>
                <HiddenNote texts={[content.description]} />
                <StoredBlock text={content.description} />
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}

function NothingSimilar() {
  return (
    <Empty>
      <p>{t.nothingSimilar}</p>
    </Empty>
  );
}
