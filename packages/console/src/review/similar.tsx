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
  return isSkill(proposal) ? (
    <SimilarSkills
      scope={address.scope_id}
      query={`${proposal.name} ${proposal.description}`.slice(0, maxQuery)}
    />
  ) : (
    <SimilarExperiences scope={address.scope_id} query={proposal.lesson} />
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

function SimilarExperiences({ scope, query }: { scope: string; query: string }) {
  const call = useCall('explainContext', { scope_id: scope, query });
  return (
    <Answer call={call}>
      {({ items }) => {
        const experiences = items.filter(({ family }) => family === 'experience');
        return experiences.length === 0 ? (
          <NothingSimilar />
        ) : (
          <ul class="rows plain">
            {experiences.map(({ artifact_ref, excerpt, score }) => (
              <li key={artifact_ref === null ? excerpt : refText(artifact_ref)}>
                <Stored text={excerpt} />
                <p class="facts">
                  {artifact_ref !== null && <code>{refText(artifact_ref)}</code>} ·{' '}
                  {t.score(score.toFixed(2))}
                </p>
              </li>
            ))}
          </ul>
        );
      }}
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
