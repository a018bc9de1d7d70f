namespace RedisLatency.Redis.Endpoints;

/// <summary>A password that does not show itself: not in text, not in a debugger's view of an endpoint.</summary>
public sealed class RedisPassword(string secret) : IEquatable<RedisPassword>
{
    private readonly string _secret = secret;

    /// <summary>Hands out the password to who authenticates with it.</summary>
    public string Reveal() => _secret;

    /// <inheritdoc/>
    public bool Equals(RedisPassword? other) => other is not null && other._secret == _secret;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as RedisPassword);

    /// <inheritdoc/>
    public override int GetHashCode() => _secret.GetHashCode(StringComparison.Ordinal);

    /// <summary>Three asterisks, whatever the password.</summary>
    public override string ToString() => "***";
}
