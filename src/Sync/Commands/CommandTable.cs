using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>
/// The commands that a source may send, and what becomes of each at the target; what the table of commands does not
/// have is asked of the target. Only writes, messages, scripts and what frames them are carried out.
/// </summary>
internal sealed class CommandTable
{
    public const string UnknownGroup = "unknown";

    private readonly List<CommandSpec> _all = [];
    private readonly HashSet<string> _atTarget = new(StringComparer.Ordinal);
    private readonly HashSet<string> _containers = new(StringComparer.Ordinal);
    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> _containersByText;
    private readonly Dictionary<string, CommandSpec> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, CommandSpec>.AlternateLookup<ReadOnlySpan<char>> _byText;

    public CommandTable()
    {
        _byText = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
        _containersByText = _containers.GetAlternateLookup<ReadOnlySpan<char>>();
        foreach (var command in RedisCommands.All)
        {
            var outcome = CommandOutcomes.Of(command);
            Add(command, outcome);
            if (command.IsSubcommand && outcome == CommandOutcome.Applied)
                _containers.Add(command.Name.Split('|')[0]);
        }
    }

    public IReadOnlyList<CommandSpec> All => _all;

    public static IEnumerable<string> Groups => RedisCommands.All.Select(command => command.Group).Distinct();

    /// <summary>A command by its name in capitals, that of a container with its own: XGROUP-CREATE.</summary>
    public CommandSpec? Find(string name) => _byName.GetValueOrDefault(name);

    /// <summary>The command of an entry; null where it is not known. Does not allocate.</summary>
    public CommandSpec? Find(SyncBatch batch, in SyncEntry entry)
    {
        Span<char> name = stackalloc char[64];
        var length = Append(name, 0, batch.Word(entry, 0));
        if (length < 0)
            return null;
        if (entry.Words > 1 && _containersByText.Contains(name[..length]))
        {
            name[length++] = '-';
            length = Append(name, length, batch.Word(entry, 1));
            if (length < 0)
                return null;
        }

        return _byText.TryGetValue(name[..length], out var found) ? found : null;
    }

    /// <summary>Whether the server that was asked knows a command; where none was, it is taken to.</summary>
    public bool TargetHas(string name) => _atTarget.Count == 0 || _atTarget.Contains(name);

    /// <summary>Takes over what a server says of its commands, as far as they are not known here.</summary>
    public void Learn(RespValue commands)
    {
        const int Flags = 2;
        const int FirstKey = 3;
        foreach (var row in commands.Items.Where(row => row.Items.Count > FirstKey + 2))
        {
            var name = row.Items[0].Text.ToUpperInvariant();
            _atTarget.Add(name);
            var flags = row.Items[Flags].Items.Select(flag => flag.Text).ToList();
            var outcome = CommandOutcomes.Of(name, flags);
            if (_byName.ContainsKey(name) || (outcome == CommandOutcome.Applied && flags.Contains("movablekeys")))
                continue;
            var keys = new KeyRule(
                (int)row.Items[FirstKey].Number, (int)row.Items[FirstKey + 1].Number,
                (int)row.Items[FirstKey + 2].Number);
            Add(new RedisCommand(name, UnknownGroup, keys), outcome);
        }
    }

    private void Add(RedisCommand command, CommandOutcome outcome)
    {
        var spec = new CommandSpec(_all.Count, command, outcome);
        _all.Add(spec);
        _byName.Add(spec.Name, spec);
    }

    private static int Append(Span<char> name, int length, ReadOnlySpan<byte> word)
    {
        if (word.Length > name.Length - length - 1)
            return -1;
        foreach (var letter in word)
            name[length++] = letter is >= (byte)'a' and <= (byte)'z' ? (char)(letter - 32) : (char)letter;
        return length;
    }
}
