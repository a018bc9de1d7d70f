using System.Reflection;
using System.Runtime.InteropServices;

namespace RedisLatency.Hosting.Options;

/// <summary>The product with its version, commit and runtime.</summary>
public static class ProgramVersion
{
    /// <summary>As it stands in results: <c>0.1.0+c8600cf</c>.</summary>
    public static string Text { get; } = typeof(ProgramVersion).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    /// <summary>As it is printed.</summary>
    internal static string Long { get; } =
        $"RedisLatency {Text.Split('+')[0]}, {Commit}{RuntimeInformation.FrameworkDescription}, "
        + RuntimeInformation.RuntimeIdentifier;

    // None where it was built outside of a checkout.
    private static string Commit =>
        Text.Split('+') is [_, var commit] ? $"commit {commit[..Math.Min(12, commit.Length)]}, " : "";
}
