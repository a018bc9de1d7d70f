namespace RedisLatency.Hosting.Options;

/// <summary>What stands in the place of secrets.</summary>
public static class OptionMask
{
    /// <summary>What is shown instead of a secret.</summary>
    public const string Hidden = "***";

    /// <summary>Hides the whole value.</summary>
    public static string Whole(string text) => Hidden;
}
