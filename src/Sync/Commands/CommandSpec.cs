using RedisLatency.Redis.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>A command of the table, as Sync counts and names it.</summary>
/// <param name="number">Its place in the table, by which it is counted.</param>
/// <param name="command">What it means.</param>
/// <param name="outcome">Whether the target carries it out.</param>
internal sealed class CommandSpec(int number, RedisCommand command, CommandOutcome outcome)
{
    private readonly KeyRule _keys = command.Keys;

    public int Number { get; } = number;

    // In capitals; that of a subcommand as RedisShake has it: XGROUP-CREATE.
    public string Name { get; } = command.Name.Replace('|', '-');

    public string Group => command.Group;

    public CommandOutcome Outcome { get; } = outcome;

    public TimeRule Time { get; } = command.Time;

    public int KeyStep => _keys.Step;

    public int NamingWord => _keys.NamingWord;

    // It does nothing without its first key, and its answer tells.
    public bool NeedsKey { get; } = command.Effect == CommandEffect.Keeps || command.Has(CommandFlags.NeedsKey);

    // Its key is there behind it, with the time to live that it had.
    public bool KeepsTtl { get; } = command.Effect == CommandEffect.Adds || command.Has(CommandFlags.KeepsTtl);

    public bool IsScript => Has(CommandFlags.Script);

    // It loads or deletes libraries of functions.
    public bool IsLibrary { get; } = command.Name.StartsWith("FUNCTION|", StringComparison.Ordinal);

    // Libraries, scripts and messages are those of all databases.
    public bool HasNoDatabase { get; } = command.Group == "PUBSUB"
        || (command.Group == "SCRIPTING" && !command.Has(CommandFlags.Script));

    // It says all that the command uses.
    public bool HasOneKey => _keys.IsFirstWord && !Has(CommandFlags.Carries);

    public bool Has(CommandFlags flags) => command.Has(flags);

    public void FindKeys(SyncBatch batch, in SyncEntry entry, List<int> keys) =>
        _keys.Find(new EntryWords(batch, in entry), keys);

    public bool ReadsOthers(SyncBatch batch, in SyncEntry entry) => _keys.ReadsOthers(new EntryWords(batch, in entry));

    public CommandEffect EffectOf(SyncBatch batch, in SyncEntry entry) =>
        command.EffectOf(new EntryWords(batch, in entry));
}
