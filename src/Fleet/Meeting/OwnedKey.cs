using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;

namespace RedisLatency.Fleet.Meeting;

/// <summary>A key that lives while its owner renews it, and that only one owner can have (SET NX PX).</summary>
/// <param name="control">Where it is.</param>
/// <param name="key">The key.</param>
/// <param name="value">By which the owner knows it as its own.</param>
internal sealed class OwnedKey(ControlClient control, RedisKey key, RedisValue value)
{
    /// <summary>How long it outlives its owner.</summary>
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(5);

    public RedisKey Key => key;

    /// <summary>Takes it where nobody has it.</summary>
    public bool TryTake() => control.Ask(database => database.StringSet(key, value, Length, When.NotExists));

    /// <summary>Keeps it; false where it is not this owner's any more.</summary>
    public bool TryKeep() => IfOwned(transaction => _ = transaction.KeyExpireAsync(key, Length));

    /// <summary>Gives it up, where it is still this owner's.</summary>
    public void Release() => IfOwned(transaction => _ = transaction.KeyDeleteAsync(key));

    /// <summary>Whether it is this owner's.</summary>
    public bool IsOwned() => Holder() == (string?)value;

    /// <summary>What is in it; null where nobody has it.</summary>
    public string? Holder() => control.Ask(database => (string?)database.StringGet(key));

    private bool IfOwned(Action<ITransaction> change) => control.Ask(database =>
    {
        var transaction = database.CreateTransaction();
        transaction.AddCondition(Condition.StringEqual(key, value));
        change(transaction);
        return transaction.Execute();
    });
}
