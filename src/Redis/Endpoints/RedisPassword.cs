namespace RedisLatency.Redis.Endpoints;

/// <summary>A password that does not show itself: not in text, not in a debugger's view of an endpoint.</summary>
public sealed record RedisPassword
{
    private readonly string _secret;

    /// <summary>Keeps a password.</summary>
    public RedisPassword(string secret) => _secret = secret;

    /// <summary>Hands out the password to who authenticates with it.</summary>
    public string Reveal() => _secret;

    /// <summary>Three asterisks, whatever the password.</summary>
    public override string ToString() => "***";
}
