using System.Text;
using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Commands;

/// <summary>Its keys are those of any database; null where not all are known.</summary>
internal sealed record KeyedCommand(CommandSpec? Command, HashSet<string>? Keys, CommandEffect Effect)
{
    // In a transaction MULTI stands before it.
    public int Place { get; init; }

    // Its keys in their order, those that it names.
    public IReadOnlyList<string> Named { get; init; } = [];

    // When its key expires; null where it does not say so.
    public long? EndsAtMs { get; init; }

    public string Shown => Named.Count == 0
        ? $"{Command?.Name}"
        : $"{Command?.Name} {KeyText.Of(Encoding.Latin1.GetBytes(Named[0]))}";

    public bool HasOneKey => Command?.HasOneKey == true;

    public bool SharesKeyWith(KeyedCommand other) =>
        Keys is null || other.Keys is null || Keys.Overlaps(other.Keys);
}
