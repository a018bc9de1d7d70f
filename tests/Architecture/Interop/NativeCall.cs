using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Interop;

/// <summary>A declared call into the system's library, as it stands in the source.</summary>
/// <param name="File">Where.</param>
/// <param name="Attribute">Its import attribute with all arguments.</param>
/// <param name="Signature">The declaration from its accessibility to the semicolon.</param>
internal sealed partial record NativeCall(SourceFile File, string Attribute, string Signature)
{
    public static IReadOnlyList<NativeCall> All { get; } =
    [
        .. SourceFile.OfProduct.SelectMany(file => Declaration().Matches(file.Text).Select(match =>
            new NativeCall(file, match.Groups["attribute"].Value, match.Groups["signature"].Value))),
    ];

    /// <summary>Whether the runtime makes the stub, and not the compiler.</summary>
    public bool IsMarshalledByRuntime => Attribute.StartsWith("DllImport", StringComparison.Ordinal);

    public bool SetsLastError => Attribute.Contains("SetLastError = true", StringComparison.Ordinal);

    public override string ToString() => $"{File}: {Signature}";

    [GeneratedRegex(
        @"\[(?<attribute>(?:DllImport|LibraryImport)\([^\]]*?\))\]\s*(?:\[[^\]]*\]\s*)*(?<signature>[^;]+;)")]
    private static partial Regex Declaration();
}
