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

    // Whether they may be carried out, and then all of them once more: its place in the list, -1 where all may.
    public static int FindUnrepeatable(IReadOnlyList<KeyedCommand> commands)
    {
        for (var i = 0; i < commands.Count; i++)
        {
            var (command, before, behind) = (commands[i], commands.Take(i), commands.Skip(i + 1));
            if (command.Command?.Has(CommandFlags.Merges) == true
                ? behind.Any(one => one.Keys is null || one.Keys.Overlaps(command.Named.Skip(1)))
                : command.Effect == CommandEffect.Changes)
            {
                return i;
            }

            // What is taken from a key once more may be the last of it by now: then it comes back as a new one.
            if (command.Effect is CommandEffect.Adds or CommandEffect.Conditional
                && before.Any(one => one.Effect == CommandEffect.Removes && one.SharesKeyWith(command))
                && !(command.Effect == CommandEffect.Adds
                    && behind.Any(one => one.Effect == CommandEffect.Keeps && one.SharesKeyWith(command))))
            {
                return i;
            }
        }

        return -1;
    }
}
