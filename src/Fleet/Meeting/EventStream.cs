using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;

namespace RedisLatency.Fleet.Meeting;

/// <summary>What members tell each other, in the control Redis; the newest thousand events are kept.</summary>
/// <param name="control">Where it is.</param>
/// <param name="key">The stream.</param>
/// <param name="life">How long it stays after the last event.</param>
internal sealed class EventStream(ControlClient control, RedisKey key, TimeSpan life)
{
    private const int MostKept = 1_000;
    private const int AtOnce = 100;

    private RedisValue _last = "0-0";

    public void Add(FleetEvent happened) => control.Ask(database =>
    {
        database.StreamAdd(
            key,
            [
                new("kind", happened.Kind), new("member", happened.Member), new("instance", happened.Instance),
                new("text", happened.Text),
            ],
            messageId: null,
            maxLength: MostKept,
            useApproximateMaxLength: true);
        return database.KeyExpire(key, life);
    });

    /// <summary>What came since it was last read.</summary>
    public IReadOnlyList<FleetEvent> Read()
    {
        var entries = control.Ask(database => database.StreamRead(key, _last, AtOnce));
        if (entries.Length > 0)
            _last = entries[^1].Id;
        return
        [
            .. entries.Select(entry => new FleetEvent(
                $"{entry["kind"]}", (int)entry["member"], $"{entry["instance"]}", $"{entry["text"]}")),
        ];
    }
}
