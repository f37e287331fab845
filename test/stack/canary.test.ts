import { deployables } from '../../shared/catalogue.ts'
import { type Period, rings } from '../support/alarm-math.ts'
import { type Resource, synthesise } from '../support/synthesis.ts'

const prod = synthesise('prod')
let alarm: Resource
/** The share of requests that is routed to a new version, and for how many seconds. */
let canary: { share: number; seconds: number }
beforeAll(() => {
  const alarms = prod.all('AWS::CloudWatch::Alarm').map(([, each]) => each)
  alarm = alarms.find(({ Properties }) => Properties.AlarmName.endsWith(' release-failures products.create'))!
  const group = prod.only('AWS::CodeDeploy::DeploymentGroup')
  const [, percent, minutes] = /Canary(\d+)Percent(\d+)Minutes$/.exec(group.Properties.DeploymentConfigName)!
  canary = { share: Number(percent) / 100, seconds: Number(minutes) * 60 }
})

/** A minute of the new version: its requests, those answered with 5xx, and those that crashed. */
const minute = (requests: number, failed: { answered?: number; crashed?: number }): Period => ({
  Invocations: requests,
  ...(failed.answered === undefined ? {} : { FailuresByVersion: failed.answered }),
  Errors: failed.crashed ?? 0,
})

describe('the alarm that judges a release', () => {
  it.each<[string, Period, boolean]>([
    ['6 requests a minute, the tenth of 1 a second, all answered with 500', minute(6, { answered: 6 }), true],
    ['6 requests a minute that all crash', minute(6, { crashed: 6 }), true],
    ['a single request a minute, which fails', minute(1, { answered: 1 }), true],
    ['600 requests a minute, of which one in twenty fails', minute(600, { answered: 20, crashed: 10 }), true],
    ['600 requests a minute, of which one fails', minute(600, { answered: 1 }), false],
    ['requests that all go well', minute(600, {}), false],
    ['failures before Lambda has counted the requests', { FailuresByVersion: 1 }, true],
    ['no request', {}, false],
  ])('goes off for %s in two minutes, %j: %s', (_, period, ringing) => {
    expect(rings(alarm, [period, period])).toBe(ringing)
    // The minutes between may have no requests.
    expect(rings(alarm, [period, {}, {}, {}, period])).toBe(ringing)
  })

  it('does not go off for one failed request', () => {
    expect(rings(alarm, [minute(1, { answered: 1 })])).toBe(false)
    expect(rings(alarm, [minute(1, { answered: 1 }), {}, {}, {}, {}, minute(1, { answered: 1 })])).toBe(false)
  })

  // Lambda chooses the version at random for each request, so in some minutes the new version has none; a failing version
  // fails all of its requests. Log lines become metrics within a minute, alarms are evaluated every minute, and a release
  // starts within a minute, so only whole minutes count.
  it.each([
    [1, 0.99],
    [0.5, 0.9],
  ])(
    'goes off during the release of a route that always fails, at %d requests per second: in %d of cases',
    (rate, chance) => {
      const usable = Math.floor((canary.seconds - 60 - 60 - 59) / 60)
      expect(usable).toBe(alarm.Properties.DatapointsToAlarm)
      const sees = 1 - (1 - canary.share) ** (60 * rate)
      expect(sees ** usable).toBeGreaterThan(chance)
    },
  )

  it('counts only the version of the alias', () => {
    const aliases = prod.properties('AWS::Lambda::Alias')
    const versions = aliases.map(({ FunctionVersion }) => JSON.stringify(FunctionVersion))
    const judged = prod
      .properties('AWS::CloudWatch::Alarm')
      .filter(({ AlarmName }) => AlarmName.includes('release-failures'))
    expect(judged).toHaveLength(versions.length)
    for (const { Metrics } of judged) {
      const dimensions = Metrics.flatMap(
        ({ MetricStat }: { MetricStat?: { Metric: { Dimensions: { Name: string; Value: unknown }[] } } }) =>
          MetricStat?.Metric.Dimensions ?? [],
      ) as { Name: string; Value: unknown }[]
      const watched = dimensions
        .filter(({ Name }) => /Version$/.test(Name))
        .map(({ Value }) => JSON.stringify(Value))
      expect(watched).toHaveLength(3)
      expect(new Set(watched).size).toBe(1)
      expect(versions).toContain(watched[0])
    }
  })

  it('finds failures in the log of its function, by route and version', () => {
    const filters = prod.properties('AWS::Logs::MetricFilter')
    const byVersion = filters.filter(
      ({ MetricTransformations: [each] }) => each.MetricName === 'FailuresByVersion',
    )
    expect(new Set(byVersion.map(({ LogGroupName }) => LogGroupName.Ref)).size).toBe(deployables.length)
    for (const { FilterPattern, MetricTransformations } of byVersion) {
      expect(FilterPattern).toBe('{ $.status >= 500 }')
      expect(MetricTransformations[0].Dimensions).toEqual([
        { Key: 'Route', Value: '$.route' },
        { Key: 'Version', Value: '$.version' },
      ])
    }
  })
})
