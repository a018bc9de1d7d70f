using System.Buffers.Text;
using System.Text;
using RedisLatency.Sync.Consistency;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

// Finds the commands in a request, or in a transaction, that use keys.
internal sealed class RequestCommands(CommandTable table)
{
    private readonly CommandFrames _frames = new();
    private readonly Lazy<SyncBatch> _batch = new(() => new SyncBatch());
    private readonly List<int> _words = [];

    private SyncBatch Batch => _batch.Value;

    public List<KeyedCommand> Find(ReadOnlySpan<byte> request)
    {
        var found = new List<KeyedCommand>();
        int? database = null;
        for (var place = 0; !request.IsEmpty && _frames.TryRead(request, out var frame); place++)
        {
            Batch.Clear();
            var entry = Batch.AddCommand(frame, _frames.Words, database: 0);
            if (table.Find(Batch, entry)?.Name == "SELECT"
                && Utf8Parser.TryParse(Batch.Word(entry, 1), out int other, out _))
            {
                database = other;
            }
            else if (Read(entry) is { } command)
            {
                found.Add(command with { Place = place, Database = database });
            }

            request = request[frame.Length..];
        }

        return found;
    }

    public int CountEmptying(ReadOnlySpan<byte> request) =>
        Find(request).Count(one => CommandTable.Emptying.Contains(one.Command?.Name));

    private KeyedCommand? Read(in SyncEntry entry)
    {
        if (table.Find(Batch, entry) is not { } command)
            return new KeyedCommand(null, null, CommandEffect.Changes);
        _words.Clear();
        command.Keys.Find(Batch, entry, _words);
        if (_words.Count == 0 && command.Group is "TRANSACTIONS" or "CONNECTION" or "PUBSUB")
            return null;
        // A script may use keys that it does not name.
        var isKnown = _words.Count > 0 && command.Group != "SCRIPTING" && !command.Keys.ReadsOthers(Batch, entry);
        return new KeyedCommand(
            command, isKnown ? [.. _words.Select(KeyAt(entry))] : null, CommandEffects.Of(Batch, entry, command))
        {
            Named = [.. _words.Select(KeyAt(entry))],
            Databases = CommandEffects.DatabasesOf(Batch, entry, command),
            EndsAtMs = LateExpiry.TimeOf(Batch, entry, command),
        };
    }

    private Func<int, string> KeyAt(SyncEntry entry) => word => Encoding.Latin1.GetString(Batch.Word(entry, word));
}

// Its keys are those of any database; null where not all are known.
internal sealed record KeyedCommand(CommandSpec? Command, HashSet<string>? Keys, CommandEffect Effect)
{
    // In a transaction MULTI stands before it.
    public int Place { get; init; }

    // That a transaction has selected before it; null where it did not.
    public int? Database { get; init; }

    // Its keys in their order, those that it names.
    public IReadOnlyList<string> Named { get; init; } = [];

    public (int? One, int? Other) Databases { get; init; }

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
            if (command.Command?.Merges == true
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
