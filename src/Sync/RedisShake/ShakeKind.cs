namespace RedisLatency.Sync.RedisShake;

internal enum ShakeKind
{
    Text,
    Texts,
    Number,
    Numbers,
    Flag,

    // A flag that says here what it denies there.
    Not,
}
