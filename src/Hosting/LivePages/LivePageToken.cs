using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.LivePages;

/// <summary>What a browser must give before it is shown the live page: a password, with any user name.</summary>
internal sealed class LivePageToken
{
    /// <summary>The option that names its file.</summary>
    public const string Option = "--live-page-token-file";

    private const int ShortestToken = 16;

    // Of the same length whatever is given: how long a comparison takes says nothing.
    private readonly byte[] _digest;

    private LivePageToken(string token) => _digest = DigestOf(token);

    /// <summary>What is wrong with an address and a file, or null.</summary>
    public static string? Problem(string? address, string? file)
    {
        if (address is null)
            return file is null ? null : $"the token is for {LivePageAddress.Option}, which is not given";
        if (file is not null)
            return ProblemOf(file);
        return LivePageAddress.Parse(address) is { } place && !IPAddress.IsLoopback(place.Address)
            ? $"others than this machine reach {address}: give {Option} FILE too, or 127.0.0.1 as the address"
            : null;
    }

    /// <summary>Reads it; null where there is no file.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    public static LivePageToken? Read(string? file) =>
        file is null ? null : new LivePageToken(SmallFile.ReadFirstLine(file).Trim());

    /// <summary>Whether it is in a request's header: <c>Basic</c>, as browsers ask for it, or <c>Bearer</c>.</summary>
    public bool IsIn(string? authorization)
    {
        var given = AuthenticationHeaderValue.TryParse(authorization, out var header) ? header.Scheme switch
        {
            "Basic" => PasswordOf(header.Parameter),
            "Bearer" => header.Parameter,
            _ => null,
        } : null;
        return CryptographicOperations.FixedTimeEquals(DigestOf(given ?? string.Empty), _digest);
    }

    private static string? ProblemOf(string file)
    {
        try
        {
            return SmallFile.ReadFirstLine(file).Trim().Length >= ShortestToken ? null
                : $"{file}: its first line must have {ShortestToken} characters at least; make one by: "
                    + "openssl rand -hex 16";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return $"{file} cannot be read: {failure.Message}";
        }
    }

    private static string? PasswordOf(string? credentials)
    {
        var decoded = new byte[credentials?.Length ?? 0];
        if (!Convert.TryFromBase64String(credentials ?? string.Empty, decoded, out var length))
            return null;
        var text = Encoding.UTF8.GetString(decoded, 0, length);
        return text.IndexOf(':') is >= 0 and var colon ? text[(colon + 1)..] : null;
    }

    private static byte[] DigestOf(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
