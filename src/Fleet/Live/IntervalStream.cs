using RedisLatency.Fleet.Meeting;
using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;
using RedisException = RedisLatency.Redis.RedisException;

namespace RedisLatency.Fleet.Live;

/// <summary>
/// What the members of a run measure, as they measure it, in the control Redis: the last ten intervals of each at
/// least, for an hour.
/// </summary>
/// <param name="control">Where it is.</param>
/// <param name="run">The run's name.</param>
/// <param name="session">Which meeting of that name.</param>
/// <param name="members">How many members there are.</param>
public sealed class IntervalStream(ControlClient control, string run, string session, int members)
{
    private const int LeastKept = 1_000;
    private const int KeptOfEach = 10;
    private const int AtOnce = 100;

    // Three years.
    private const long LongestRunUs = 100_000_000_000_000;

    private readonly RedisKey _key = new FleetKeys(run).Intervals(session);
    private RedisValue _last = "0-0";

    /// <summary>Adds an interval.</summary>
    /// <exception cref="RedisException">The control Redis is away, or refuses.</exception>
    public void Add(MemberInterval interval) => control.Ask(database =>
    {
        database.StreamAdd(
            _key,
            [
                new("member", interval.Place), new("at", (long)interval.At.TotalMicroseconds),
                new("series", interval.Series), new("tags", interval.Tags), new("last", interval.IsLast),
                new("lines", interval.Lines),
            ],
            messageId: null,
            maxLength: Math.Max(LeastKept, KeptOfEach * members),
            useApproximateMaxLength: true);
        return database.KeyExpire(_key, FleetMembership.Life);
    });

    /// <summary>Reads what came since it was last read, a limited number at once.</summary>
    /// <param name="isAll">Whether there is no more now.</param>
    /// <exception cref="RedisException">The control Redis is away, or refuses.</exception>
    public IReadOnlyList<MemberInterval> Read(out bool isAll)
    {
        var entries = control.Ask(database => database.StreamRead(_key, _last, AtOnce));
        if (entries.Length > 0)
            _last = entries[^1].Id;
        isAll = entries.Length < AtOnce;
        return [.. entries.Select(Parse).OfType<MemberInterval>()];
    }

    // Whoever may write there: what no member sends is left out.
    private MemberInterval? Parse(StreamEntry entry) =>
        entry["member"].TryParse(out int place) && place >= 0 && place < members
        && entry["at"].TryParse(out long at) && at is > -LongestRunUs and < LongestRunUs
            ? new MemberInterval(
                place, TimeSpan.FromMicroseconds(at), $"{entry["series"]}", $"{entry["tags"]}", entry["lines"],
                entry["last"] == 1)
            : null;
}
