using RedisLatency.Sync.Consistency;

namespace RedisLatency.Sync.Commands;

/// <summary>A command as the table has it.</summary>
/// <param name="Number">Its place in the table, by which it is counted.</param>
/// <param name="Name">In capitals; of a container with the subcommand behind a dash.</param>
/// <param name="Group">As RedisShake and COMMAND DOCS name it.</param>
/// <param name="Keys">Where its keys are.</param>
/// <param name="Effect">As it has without options.</param>
/// <param name="Fate">Whether the target carries it out.</param>
internal sealed record CommandSpec(
    int Number, string Name, string Group, KeyRule Keys, CommandEffect Effect, CommandFate Fate)
{
    public ExpiryWord Expiry { get; } = Name switch
    {
        "EXPIREAT" or "PEXPIREAT" or "HEXPIREAT" or "HPEXPIREAT" => ExpiryWord.Second,
        "SET" or "GETEX" or "HSETEX" or "HGETEX" => ExpiryWord.Option,
        _ => ExpiryWord.None,
    };

    // Words behind the second may say when it does nothing: NX, XX, GT, LT.
    public bool HasConditions { get; } = Name is "SET" or "EXPIRE" or "EXPIREAT" or "PEXPIRE" or "PEXPIREAT";

    // It does nothing without its first key, and its answer tells.
    public bool NeedsKey { get; } = Effect == CommandEffect.Keeps || Name is "COPY" or "MOVE" or "RENAME" or "RENAMENX"
        or "SMOVE" or "LMOVE" or "RPOPLPUSH" or "LPOP" or "RPOP";

    // It changes nothing more where it is sent twice, and those that it reads have not changed in between.
    public bool Merges { get; } = Name == "PFMERGE";

    // It may use keys that it does not name.
    public bool IsScript { get; } = Name is "EVAL" or "EVALSHA" or "FCALL";

    // Libraries, scripts and messages are those of all databases.
    public bool HasNoDatabase { get; } = Group == "PUBSUB"
        || Name.StartsWith("FUNCTION-", StringComparison.Ordinal)
        || Name.StartsWith("SCRIPT-", StringComparison.Ordinal);

    private readonly bool _makesFirst = Name == "BITOP" || Name.EndsWith("STORE", StringComparison.Ordinal);

    // Which of its keys it makes from the others, whatever was there; -1 where it does not.
    public int MadeKey(int keys) => _makesFirst ? 0
        : keys > 1 && (Name is "SORT" or "GEORADIUS" or "GEORADIUSBYMEMBER") ? keys - 1
        : -1;

    // It says all that the command uses.
    public bool HasOneKey => Keys.IsFirstWord && Name != "MOVE";
}
